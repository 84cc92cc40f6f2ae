import { Stack, Text } from '@mantine/core';
import { Panel } from '../../ui/Panel.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { SourceRows } from './SourceRows.tsx';
import type { SourceDraft } from './source-draft.ts';
import { rowGroupsOfKind, rowsAt, unedited } from './source-rows.ts';

export interface SourceExtrasProps {
  draft: SourceDraft;
  problemAt: (path: string) => string | undefined;
  onChange: (change: (draft: SourceDraft) => SourceDraft) => void;
}

/** Parts of a source that are kept for other programs: lists that are edited here, and what is shown as it is. */
export function SourceExtras({ draft, problemAt, onChange }: SourceExtrasProps) {
  const shown = unedited.filter((key) => !isEmpty(draft[key]));
  return (
    <Panel title="For other programs" description="Stored and returned by the API. The web UI does not use it.">
      <Stack gap={16}>
        {rowGroupsOfKind[draft.kind].map((group) => (
          <SourceRows
            key={group.path}
            group={group}
            rows={rowsAt(draft, group)}
            problemAt={problemAt}
            onChange={(change) => onChange((now) => ({ ...now, [group.path]: change(rowsAt(now, group)) }))}
          />
        ))}
        {shown.map((key) => (
          <Stack key={key} gap={6}>
            <Text size="sm" fw={600}>
              {labels[key]}
            </Text>
            <Text size="xs" c="var(--sb-muted)">
              Shown as stored, and kept when this form is saved. Change it through the API.
            </Text>
            <Snippet text={JSON.stringify(draft[key], null, 2)} label={labels[key].toLowerCase()} />
          </Stack>
        ))}
      </Stack>
    </Panel>
  );
}

const labels = {
  materializedViews: 'Materialized views',
  metadataMaterializedViews: 'Materialized views of field names',
};

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
