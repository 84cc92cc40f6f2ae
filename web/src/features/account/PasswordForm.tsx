import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone } from '../../ui/notify.ts';
import { useChangePassword } from './account-queries.ts';

export function PasswordForm() {
  const change = useChangePassword();
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        form.reset();
        showDone('Password changed. Your other sessions have ended.');
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack gap={12} maw={360}>
        {change.error ? <ErrorNotice error={change.error} /> : null}
        <PasswordInput
          label="Current password"
          required
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters."
          required
          minLength={8}
          autoComplete="new-password"
          {...form.getInputProps('newPassword')}
        />
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
