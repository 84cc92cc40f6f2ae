import { Button, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSessionChanges } from '../api/session.ts';
import { type InvitationView, useInvitation } from '../features/account/account-queries.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { FrontDoor } from '../ui/FrontDoor.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { useUrlState } from '../url-state.ts';

/** Where an invitation link leads: signs up into the team that invited. */
export function JoinPage() {
  const [{ token = '' }] = useUrlState();
  const invitation = useInvitation(token);
  if (invitation.error || token === '')
    return (
      <FrontDoor title="This invitation is not valid">
        <Text size="sm">It has been used or withdrawn, or it has expired. Ask the sender for a new link.</Text>
        {invitation.error ? <ErrorNotice error={invitation.error} /> : null}
        <ButtonLink to="/login" variant="default">
          Log in instead
        </ButtonLink>
      </FrontDoor>
    );
  if (!invitation.data)
    return (
      <FrontDoor title="Join">
        <Skeleton h={160} />
      </FrontDoor>
    );
  return (
    <FrontDoor title={`Join ${invitation.data.team.name}`}>
      <JoinForm invitation={invitation.data} token={token} />
    </FrontDoor>
  );
}

function JoinForm({ invitation, token }: { invitation: InvitationView; token: string }) {
  const { signUp } = useSessionChanges();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', password: '' } });
  const join = useMutation({ mutationFn: signUp, onSuccess: () => navigate({ to: '/' }) });
  const submit = form.onSubmit(({ name, password }) =>
    join.mutate({ email: invitation.email, password, invitation: token, ...(name ? { name } : {}) }),
  );
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        {join.error ? <ErrorNotice error={join.error} /> : null}
        <TextInput size="sm" label="Email" value={invitation.email} readOnly autoComplete="username" />
        <TextInput size="sm" label="Name" autoComplete="name" {...form.getInputProps('name')} />
        <PasswordInput
          size="sm"
          label="Password"
          description="At least 8 characters."
          required
          minLength={8}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="sm" loading={join.isPending} fullWidth>
          Join
        </Button>
      </Stack>
    </form>
  );
}
