import { Button, Group, Table } from '@mantine/core';
import { useState } from 'react';
import type { SilenceRecord } from '../../../../src/contract/silence.ts';
import { instantText } from '../../ui/instant-text.ts';
import { showDone, showFailure } from '../../ui/notify.ts';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import { useDeleteSilence } from './silence-queries.ts';

export interface SilenceTableProps {
  /** Absent while they are read. */
  silences: readonly SilenceRecord[] | undefined;
  onEdit: (silence: SilenceRecord) => void;
}

export function SilenceTable({ silences, onEdit }: SilenceTableProps) {
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th visibleFrom="sm">State</Table.Th>
            <Table.Th>Name</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th visibleFrom="sm">Silences</Table.Th>
            <Table.Th>Actions</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {silences ? null : <RowSkeleton columns={['sm', 'base', 'base', 'sm', 'base']} />}
          {silences?.map((silence) => (
            <Table.Tr key={silence.id}>
              <Table.Td visibleFrom="sm">{silence.active ? 'Active' : 'Not active'}</Table.Td>
              <Table.Td className="long-text">{silence.name}</Table.Td>
              <Table.Td>{whenText(silence)}</Table.Td>
              <Table.Td visibleFrom="sm" className="long-text">
                {matchText(silence)}
              </Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Edit ${silence.name}`}
                    onClick={() => onEdit(silence)}
                  >
                    Edit
                  </Button>
                  <DeleteButton silence={silence} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Asks with a second press: alerts become loud again. */
function DeleteButton({ silence }: { silence: SilenceRecord }) {
  const [asked, setAsked] = useState(false);
  const remove = useDeleteSilence();
  const confirm = () =>
    remove.mutate(silence.id, { onSuccess: () => showDone('Silence deleted.'), onError: showFailure });
  return (
    <Button
      variant={asked ? 'filled' : 'default'}
      {...(asked ? { color: 'red' } : {})}
      size="compact-sm"
      aria-label={asked ? `Confirm deletion of ${silence.name}` : `Delete ${silence.name}`}
      loading={remove.isPending}
      onClick={asked ? confirm : () => setAsked(true)}
      onBlur={() => setAsked(false)}
    >
      {asked ? 'Confirm deletion' : 'Delete'}
    </Button>
  );
}

function whenText({ recurrence, startsAt, endsAt }: SilenceRecord): string {
  if (!recurrence) return `${instantText(startsAt)} – ${endsAt ? instantText(endsAt) : '…'}`;
  const { days, from, to, timezone } = recurrence;
  return `${days.join(', ')} ${from}–${to} (${timezone})`;
}

function matchText({ match: { alertIds, tags, groups } }: SilenceRecord): string {
  const parts = [
    alertIds && `${alertIds.length} ${alertIds.length === 1 ? 'alert' : 'alerts'}`,
    tags && `tags ${tags.join(', ')}`,
    groups?.map(({ key, value }) => (key ? `${key} = ${value}` : value)).join(', '),
  ].filter(Boolean);
  return parts.length === 0 ? 'Every alert' : parts.join('; ');
}
