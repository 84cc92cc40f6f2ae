import { Code, Group, List, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { SourceCheckResult } from '../../../../src/contract/completion.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { placeText } from '../../ui/plain-problem.ts';

export interface SourceCheckPanelProps {
  result: SourceCheckResult | undefined;
  error: Error | null;
  isChecking: boolean;
  /** Of the fields of the form, by path. */
  labels: Readonly<Record<string, string>>;
}

/** Whether the source fits its table, what does not, and which columns there are to choose from. */
export function SourceCheckPanel({ result, error, isChecking, labels }: SourceCheckPanelProps) {
  return (
    <Panel
      title="Check against the table"
      actions={isChecking ? <Loader size={14} role="status" aria-label="Checking" /> : null}
    >
      {error ? <ErrorNotice error={error} /> : null}
      {!result && !error ? (
        <Text size="sm" c="var(--sb-muted)">
          Fill in the required fields first; then the table is checked.
        </Text>
      ) : null}
      {result ? <Findings result={result} labels={labels} /> : null}
    </Panel>
  );
}

interface FindingsProps extends Pick<SourceCheckPanelProps, 'labels'> {
  result: SourceCheckResult;
}

function Findings({ result: { ok, problems, columns }, labels }: FindingsProps) {
  return (
    <>
      {ok ? (
        <Group gap={6} c="var(--sb-ok)">
          <IconCircleCheck size={16} />
          <Text size="sm">Everything named here exists.</Text>
        </Group>
      ) : (
        <List size="sm" icon={<IconAlertTriangle size={15} color="var(--sb-pending)" />}>
          {problems.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              {path ? `${labels[path] ?? placeText(path)}: ` : ''}
              {message}
            </List.Item>
          ))}
        </List>
      )}
      {columns.length > 0 ? (
        <Group gap={6} mt={12}>
          {columns.map(({ name, type }) => (
            <Code key={name} title={type}>
              {name}
            </Code>
          ))}
        </Group>
      ) : null}
    </>
  );
}
