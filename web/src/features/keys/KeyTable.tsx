import { Badge, Box, Button, Code, Group, Table, VisuallyHidden } from '@mantine/core';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import { hasExpired, momentText } from './expiry.ts';
import { type KeyRecord, useKeyChanges } from './key-queries.ts';

export interface KeyTableProps {
  /** Absent while they are read. */
  keys: KeyRecord[] | undefined;
  path: string;
  label: string;
  onRotate?: (id: string) => void;
}

export function KeyTable({ keys, path, label, onRotate }: KeyTableProps) {
  const { revoke } = useKeyChanges(path);
  return (
    <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">Key</Table.Th>
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th visibleFrom="sm">Expires</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys ? null : <RowSkeleton rows={2} columns={['base', 'sm', 'sm', 'sm', 'base']} />}
          {keys?.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td className="long-text">
                {key.name} {key.keyId ? <Badge variant="default">{key.role}</Badge> : null}
                {isKnown(key) ? (
                  <Box hiddenFrom="sm" mt={2}>
                    <KeyName {...key} />
                  </Box>
                ) : null}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <KeyName {...key} />
              </Table.Td>
              <Table.Td visibleFrom="sm">{momentText(key.lastUsedAt, 'Never')}</Table.Td>
              <Table.Td visibleFrom="sm" c={hasExpired(key.expiresAt, Date.now()) ? 'var(--sb-firing)' : 'inherit'}>
                {momentText(key.expiresAt, 'Never')}
              </Table.Td>
              <Table.Td>
                <Group gap={8} justify="flex-end" wrap="nowrap">
                  {onRotate ? (
                    <Button variant="default" onClick={() => onRotate(key.id)} aria-label={`Rotate ${key.name}`}>
                      Rotate
                    </Button>
                  ) : null}
                  <ConfirmButton
                    verb="Revoke"
                    subject={key.name}
                    consequence="Programs that use this key lose access immediately. This can’t be undone."
                    onConfirm={() => revoke.mutateAsync(key.id)}
                  />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type KeyNameProps = Pick<KeyRecord, 'keyId' | 'prefix'>;

/** Of a key that was given literally nothing is known that may be shown. */
function isKnown({ keyId, prefix }: KeyNameProps): boolean {
  return Boolean(keyId) || prefix !== '';
}

function KeyName(key: KeyNameProps) {
  if (!isKnown(key)) return '–';
  return <Code style={{ whiteSpace: 'nowrap' }}>{key.keyId ?? `${key.prefix}…`}</Code>;
}
