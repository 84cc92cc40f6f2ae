import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useContinuedSession } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';

/** Above every other dialog and message. */
const zIndex = 1000;

/** The log-in over a page whose session has ended. */
export function LogInDialog() {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={zIndex}
      title="Your session has ended"
    >
      <PasswordAgain />
    </Modal>
  );
}

function PasswordAgain() {
  const { email, logIn, lookAgain } = useContinuedSession();
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: logIn });
  useOnReturn(lookAgain);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        <Text size="sm">Log in again to continue where you left off. Nothing on this page is lost.</Text>
        {attempt.error ? <ErrorNotice error={attempt.error} /> : null}
        <TextInput size="sm" label="Email" type="email" value={email} readOnly autoComplete="username" />
        <PasswordInput
          size="sm"
          label="Password"
          required
          data-autofocus
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="space-between">
          <Button variant="subtle" component="a" href={frontDoor()}>
            Leave this page
          </Button>
          <Button type="submit" loading={attempt.isPending}>
            Log in
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The person may have logged in in another tab. */
function useOnReturn(look: () => Promise<void>): void {
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === 'visible') look().catch(() => {});
    };
    document.addEventListener('visibilitychange', onReturn);
    return () => document.removeEventListener('visibilitychange', onReturn);
  });
}

/** Loaded anew, so that nothing of this session stays in memory. */
function frontDoor(): string {
  return new URL('login', document.baseURI).href;
}
