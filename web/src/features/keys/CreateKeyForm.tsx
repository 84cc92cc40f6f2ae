import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { expiryChoices, expiryOf } from './expiry.ts';
import { type NewKey, useKeyChanges } from './key-queries.ts';

const roles = [
  { value: 'read', label: 'Read: view only' },
  { value: 'admin', label: 'Admin: full access' },
];

export interface CreateKeyFormProps {
  path: string;
  withRole: boolean;
  onCreated: (key: NewKey) => void;
}

export function CreateKeyForm({ path, withRole, onCreated }: CreateKeyFormProps) {
  const { create } = useKeyChanges(path);
  const form = useForm<{ name: string; expiry: string; role: 'admin' | 'read' }>({
    initialValues: { name: '', expiry: '90', role: 'read' },
  });
  const submit = form.onSubmit(({ name, expiry, role }) =>
    create.mutate(
      { name, expiresAt: expiryOf(expiry, Date.now()), ...(withRole ? { role } : {}) },
      { onSuccess: onCreated },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        {create.error ? <ErrorNotice error={create.error} /> : null}
        <TextInput
          label="Name"
          description="Where the key is used, so that you know what depends on it."
          required
          maxLength={256}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {withRole ? <NativeSelect label="Role" data={roles} {...form.getInputProps('role')} /> : null}
        <NativeSelect label="Expires" data={[...expiryChoices]} {...form.getInputProps('expiry')} />
        <Button type="submit" loading={create.isPending}>
          Create
        </Button>
      </Stack>
    </form>
  );
}
