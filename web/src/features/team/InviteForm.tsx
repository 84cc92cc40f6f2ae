import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useTeamChanges } from './team-queries.ts';

export function InviteForm() {
  const { invite } = useTeamChanges();
  const form = useForm({ initialValues: { email: '' } });
  const submit = form.onSubmit(({ email }) => invite.mutate({ email }, { onSuccess: () => form.reset() }));
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        {invite.error ? <ErrorNotice error={invite.error} /> : null}
        <Group align="flex-end">
          <TextInput label="Email" type="email" required {...form.getInputProps('email')} />
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
        {invite.data ? <Snippet text={invite.data.url} label={`link for ${invite.data.email}`} /> : null}
      </Stack>
    </form>
  );
}
