import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { type NewKey, useKeyChanges } from './key-queries.ts';

const overlaps = [
  { value: '0', label: 'Never' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
];

/** A new secret in place of an old one, which stays valid while programs are moved over. */
export function RotateKeyForm({ path, id, onRotated }: { path: string; id: string; onRotated: (key: NewKey) => void }) {
  const { rotate } = useKeyChanges(path);
  const [overlap, setOverlap] = useState('24');
  const submit = () => rotate.mutate({ id, overlapHours: Number(overlap) }, { onSuccess: onRotated });
  return (
    <Stack gap={12}>
      <Text size="sm">A new key replaces it. Switch your programs before the old one expires.</Text>
      {rotate.error ? <ErrorNotice error={rotate.error} /> : null}
      <NativeSelect
        label="The old key stays valid for"
        data={overlaps}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
      <Button loading={rotate.isPending} onClick={submit}>
        Rotate
      </Button>
    </Stack>
  );
}
