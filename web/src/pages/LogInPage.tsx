import { Alert, Button, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery, useSessionChanges } from '../api/session.ts';
import { basePath, flavour } from '../boot.ts';
import { beginFirstVisit } from '../features/first-run/first-visit.ts';
import { servicePlaceOf } from '../service-place.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { FrontDoor } from '../ui/FrontDoor.tsx';
import { useUrlState } from '../url-state.ts';

/** The front door: logs in, or makes the first account of a new installation. */
export function LogInPage() {
  const session = useQuery(sessionQuery);
  if (session.error)
    return (
      <FrontDoor title="Log in">
        <ErrorNotice error={session.error} onRetry={session.refetch} />
      </FrontDoor>
    );
  if (!session.data)
    return (
      <FrontDoor title="Log in">
        <Skeleton h={160} />
      </FrontDoor>
    );
  const isFirst = session.data.registration === 'open';
  return (
    <FrontDoor title={isFirst ? 'Create the first account' : 'Log in'}>
      {isFirst ? (
        <Text size="sm" c="var(--sb-muted)">
          {flavour === 'managed'
            ? 'This installation is new. The first account owns its organization.'
            : 'This installation is new. The first account owns its team; colleagues join later by invitation.'}
        </Text>
      ) : null}
      <Credentials isFirst={isFirst} />
    </FrontDoor>
  );
}

function Credentials({ isFirst }: { isFirst: boolean }) {
  const { logIn, signUp } = useSessionChanges();
  const [{ next }] = useUrlState();
  const router = useRouter();
  const [problem, setProblem] = useState<string>();
  const form = useForm({ initialValues: { email: '', password: '', name: '' } });
  const enter = (path: string) => {
    // The pages of a service are another document.
    if (flavour === 'managed' && servicePlaceOf(path.replace(/[?#].*$/s, ''), basePath)) location.assign(path);
    else router.history.push(path);
  };
  const submit = form.onSubmit(async ({ email, password, name }) => {
    setProblem(undefined);
    try {
      if (isFirst) await signUp({ email, password, ...(name ? { name } : {}) });
      else await logIn({ email, password });
      if (isFirst) beginFirstVisit();
      if (isFirst && flavour !== 'managed') await router.navigate({ to: '/start' });
      else enter(ownPath(next));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Logging in failed.');
    }
  });
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        {problem ? (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        ) : null}
        {isFirst ? (
          <TextInput size="sm" label="Name" autoFocus autoComplete="name" {...form.getInputProps('name')} />
        ) : null}
        <TextInput
          size="sm"
          label="Email"
          type="email"
          required
          autoFocus={!isFirst}
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          size="sm"
          label="Password"
          required
          {...(isFirst ? { description: 'At least 8 characters.', minLength: 8 } : {})}
          autoComplete={isFirst ? 'new-password' : 'current-password'}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="sm" loading={form.submitting} fullWidth>
          {isFirst ? 'Create account' : 'Log in'}
        </Button>
      </Stack>
    </form>
  );
}

/** Where to go after the log-in: a path of these pages only, never another site. */
function ownPath(next: string | undefined): string {
  return next?.startsWith(basePath) && !/^\/[/\\]/.test(next) ? next : basePath;
}
