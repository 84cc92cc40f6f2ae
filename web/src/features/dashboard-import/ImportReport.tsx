import { Badge, List, Text } from '@mantine/core';
import type { DashboardImportPreview } from '../../../../src/contract/dashboard-import.ts';
import { Panel } from '../../ui/Panel.tsx';
import { plainProblem } from '../../ui/plain-problem.ts';

const formats: Record<DashboardImportPreview['format'], string> = {
  signalbox: 'A dashboard of this API',
  hyperdx: 'A dashboard exported from HyperDX',
  'hyperdx-charts': 'A dashboard of HyperDX’s first API',
  grafana: 'A Grafana dashboard',
};

/** What the document is, what is taken of it, and what is not. */
export function ImportReport({ preview }: { preview: DashboardImportPreview }) {
  const { format, notes, errors, dashboard } = preview;
  const tiles = dashboard?.tiles.length ?? 0;
  const leftOut = notes.filter(({ kind }) => kind === 'left_out').length;
  return (
    <Panel title="Report">
      <Text size="sm" mb={8}>
        {formats[format]}: {tiles === 1 ? '1 tile' : `${tiles} tiles`} will be stored
        {leftOut > 0 ? `, ${leftOut === 1 ? 'one thing is' : `${leftOut} things are`} left out` : ''}.
      </Text>
      {errors.map(({ path, message }) => (
        <Text key={path} size="sm" c="var(--sb-firing)">
          The dashboard can’t be stored: {plainProblem(`${path}: ${message}`)}
        </Text>
      ))}
      {notes.length > 0 ? (
        <List size="sm" spacing={6} listStyleType="none" aria-label="What is not taken over as it was">
          {notes.map(({ kind, subject, message }) => (
            <List.Item key={`${subject} ${message}`}>
              <Badge size="xs" variant="outline" color={kind === 'left_out' ? 'orange' : 'gray'} c="inherit" mr={6}>
                {kind === 'left_out' ? 'Left out' : 'Changed'}
              </Badge>
              <b>{subject}</b>: {message}
            </List.Item>
          ))}
        </List>
      ) : null}
    </Panel>
  );
}
