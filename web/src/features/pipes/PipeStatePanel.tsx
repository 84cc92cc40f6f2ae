import { Group, Stack, Text } from '@mantine/core';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import type { PipeStatus } from '../../../../src/contract/pipe-status.ts';
import { CopyableId } from '../../ui/CopyableId.tsx';
import { instantText, withLocalTimes } from '../../ui/instant-text.ts';
import { Panel } from '../../ui/Panel.tsx';
import { PipeControls } from './PipeControls.tsx';
import { PipeState } from './PipeState.tsx';
import classes from './PipeStatePanel.module.css';
import { bytesText, countText, lagText, successText } from './pipe-figures.ts';

export interface PipeStatePanelProps {
  pipe: Pipe;
  status: PipeStatus;
  /** Path of the service below the API's prefix. */
  service: string;
}

/** How the pipe is doing, and what can be done about it. */
export function PipeStatePanel({ pipe, status, service }: PipeStatePanelProps) {
  return (
    <Panel title="State">
      <Stack gap={12}>
        <Stack gap={2} role="status">
          <Group gap={8}>
            <PipeState state={status.state} />
            <Text size="sm" c="var(--sb-muted)">
              since {instantText(status.since)}
            </Text>
          </Group>
          {status.reason ? (
            <Text size="sm" className="long-text">
              {withLocalTimes(status.reason)}
            </Text>
          ) : null}
        </Stack>
        <Figures status={status} />
        <PipeControls pipe={pipe} status={status} service={service} />
        <CopyableId label="Pipe id" value={pipe.id} />
        <CopyableId label="Service id" value={pipe.serviceId} />
      </Stack>
    </Panel>
  );
}

function Figures({ status }: { status: PipeStatus }) {
  const figures = [
    ['Rows', countText(status.rows)],
    ['Bytes', bytesText(status.bytes)],
    ['Errors', countText(status.errors)],
    ['Lag', lagText(status)],
    ['Last success', successText(status)],
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
