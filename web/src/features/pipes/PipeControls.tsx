import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import type { PipeStatus } from '../../../../src/contract/pipe-status.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showFailure } from '../../ui/notify.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { type PipeCommand, reasonAgainst } from './pipe-commands.ts';
import { usePipeCommand } from './pipe-queries.ts';

export interface PipeControlsProps {
  pipe: Pipe;
  status: PipeStatus;
  service: string;
}

/** Start and stop; resync of pipes that read a database. */
export function PipeControls({ pipe, status, service }: PipeControlsProps) {
  const command = usePipeCommand(service, pipe.id);
  const give = (name: PipeCommand) => command.mutate(name, { onError: showFailure });
  const shared = (name: PipeCommand) => ({
    reason: reasonAgainst(name, status),
    loading: command.isPending && command.variables === name,
    variant: 'default',
  });
  return (
    <Stack gap={8} align="flex-start">
      <Group gap="8px 16px">
        <Group gap={8}>
          <ReasonedButton {...shared('start')} onClick={() => give('start')}>
            Start
          </ReasonedButton>
        </Group>
        <Group gap={8}>
          <ReasonedButton {...shared('stop')} onClick={() => give('stop')}>
            Stop
          </ReasonedButton>
        </Group>
        {pipe.source?.postgres ? <Resync pipe={pipe} status={status} service={service} /> : null}
      </Group>
    </Stack>
  );
}

function Resync({ pipe, status, service }: PipeControlsProps) {
  const [opened, { open, close }] = useDisclosure();
  const command = usePipeCommand(service, pipe.id);
  const tables = pipe.source?.postgres?.tableMappings?.flatMap(mappingText) ?? [];
  return (
    <Group gap={8}>
      <ReasonedButton variant="default" reason={reasonAgainst('resync', status)} onClick={open}>
        Resync
      </ReasonedButton>
      <ConfirmDialog
        opened={opened}
        verb="Resync"
        subject={pipe.name}
        consequence="The positions and totals of the pipe are deleted, and every row of its tables is read again. The rows that are here stay readable meanwhile; those that the source no longer has are then marked as deleted."
        busy={command.isPending}
        error={command.error}
        onConfirm={() => command.mutate('resync', { onSuccess: close })}
        onClose={close}
      >
        <div>
          <Text size="sm" fw={600}>
            Read again
          </Text>
          {tables.map((text) => (
            <Text key={text} size="sm" ff="monospace" className="long-text">
              {text}
            </Text>
          ))}
        </div>
      </ConfirmDialog>
    </Group>
  );
}

type Mapping = NonNullable<NonNullable<NonNullable<Pipe['source']>['postgres']>['tableMappings']>[number];

/** `public.orders → orders` */
function mappingText({ sourceSchemaName, sourceTable, targetTable }: Mapping): string[] {
  const from = [sourceSchemaName, sourceTable].filter(Boolean).join('.');
  return from === '' ? [] : [`${from} → ${targetTable ?? sourceTable}`];
}
