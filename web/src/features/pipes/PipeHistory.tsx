import { Table, Text } from '@mantine/core';
import type { PipeStatus } from '../../../../src/contract/pipe-status.ts';
import { instantText, withLocalTimes } from '../../ui/instant-text.ts';
import { Panel } from '../../ui/Panel.tsx';
import { PipeState } from './PipeState.tsx';

const changesShown = 20;
const byLabels = { client: 'A person or program', supervisor: 'Signalbox' } as const;

/** The latest changes of the state. */
export function PipeHistory({ changes }: Pick<PipeStatus, 'changes'>) {
  const shown = changes.slice(0, changesShown);
  return (
    <Panel title="History" description="The latest changes of the state, newest first.">
      {shown.length === 0 ? <Text size="sm">The pipe has not run yet.</Text> : null}
      {shown.length > 0 ? (
        <Table.ScrollContainer minWidth={460} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label="Changes of the state">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={190}>At</Table.Th>
                <Table.Th w={120}>State</Table.Th>
                <Table.Th w={150}>By</Table.Th>
                <Table.Th>Reason</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ at, state, by, reason }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two changes may have all in common
                <Table.Tr key={`${at} ${state} ${index}`}>
                  <Table.Td>{instantText(at)}</Table.Td>
                  <Table.Td>
                    <PipeState state={state} />
                  </Table.Td>
                  <Table.Td>{byLabels[by]}</Table.Td>
                  <Table.Td className="long-text">{reason ? withLocalTimes(reason) : ''}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
    </Panel>
  );
}
