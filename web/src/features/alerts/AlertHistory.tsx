import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertEvaluationRecord } from '../../../../src/contract/alert-log.ts';
import { decidingGroup } from '../../../../src/contract/deciding-group.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { instantOfWall, instantText, withLocalTimes } from '../../ui/instant-text.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { showFailure } from '../../ui/notify.ts';
import { Pages } from '../../ui/Pages.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { plainProblem } from '../../ui/plain-problem.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { useUrlPage } from '../../url-state.ts';
import { useSources } from '../where-editor/source-queries.ts';
import { deliveryProblem, durationText, groupText, reasonLabels, valueText } from './alert-labels.ts';
import { findHistoryPage, historyPageQuery, logPageSize } from './alert-queries.ts';
import { firingComparison } from './firing-comparison.ts';
import { StateBadge } from './StateBadge.tsx';
import { StateTimeline, type StateWindow } from './StateTimeline.tsx';
import { useWatched } from './use-watched.ts';
import { ValueChart } from './ValueChart.tsx';

const rowsAtFirst = 15;

/** The windows, a hundred per page: as a timeline, as values against the threshold and as a table. */
export function AlertHistory({ alert }: { alert: AlertRecord }) {
  const { numberFormat, tile } = useWatched(alert);
  const [page, goToPage] = useUrlPage('historyPage');
  const history = useQuery(historyPageQuery(alert.id, page));
  const [all, setAll] = useState(false);
  const total = history.data?.total ?? 0;
  const evaluations = history.data?.entries;
  const windows = useMemo(
    () => (evaluations ?? []).map((each) => toWindow(each, alert)).reverse(),
    [evaluations, alert],
  );
  const rows = all ? (evaluations ?? []) : (evaluations ?? []).slice(0, rowsAtFirst);
  return (
    <Panel
      title="History"
      description="Newest first. For a grouped alert, the value of the deciding group."
      actions={total > logPageSize ? <JumpToDate alertId={alert.id} onPage={goToPage} /> : null}
    >
      {history.error ? <ErrorNotice error={history.error} /> : null}
      {evaluations?.length === 0 ? (
        <Text size="sm">
          {page === 1
            ? 'Not evaluated yet; the first evaluation runs after one interval.'
            : 'The history does not go back this far.'}
        </Text>
      ) : null}
      {windows.length > 0 ? (
        <Stack gap={14}>
          <StateTimeline windows={windows} numberFormat={numberFormat} />
          <ValueChart windows={windows} rule={alert} numberFormat={numberFormat} />
          <EvaluationTable evaluations={rows} rule={alert} numberFormat={numberFormat} tile={tile} />
          {!all && (evaluations?.length ?? 0) > rowsAtFirst ? (
            <Button variant="default" onClick={() => setAll(true)}>
              Show all {evaluations?.length}
            </Button>
          ) : null}
        </Stack>
      ) : null}
      <Pages label="windows" page={page} pageSize={logPageSize} total={total} onChange={goToPage} />
    </Panel>
  );
}

interface JumpToDateProps {
  alertId: string;
  onPage: (page: number) => void;
}

function JumpToDate({ alertId, onPage }: JumpToDateProps) {
  const [text, setText] = useState('');
  const jump = useMutation({
    mutationFn: (atMs: number) => findHistoryPage(alertId, atMs),
    onSuccess: onPage,
    onError: showFailure,
  });
  const atMs = instantOfWall(text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!Number.isNaN(atMs)) jump.mutate(atMs);
      }}
    >
      <Group gap={6} wrap="nowrap">
        <TextInput
          type="datetime-local"
          aria-label="Date in the history"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ReasonedButton
          type="submit"
          variant="default"
          loading={jump.isPending}
          reason={Number.isNaN(atMs) ? 'Choose a date.' : undefined}
        >
          Jump there
        </ReasonedButton>
      </Group>
    </form>
  );
}

interface EvaluationTableProps {
  evaluations: readonly AlertEvaluationRecord[];
  rule: AlertRecord;
  numberFormat: NumberFormat | undefined;
  tile: Tile | undefined;
}

function EvaluationTable({ evaluations, rule, numberFormat, tile }: EvaluationTableProps) {
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Window end</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th visibleFrom="sm">Reason</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {evaluations.map((evaluation) => (
            <Table.Tr key={evaluation.windowEnd}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{instantText(evaluation.windowEnd)}</Table.Td>
              <Table.Td>
                <StateBadge state={evaluation.state} />
              </Table.Td>
              <Table.Td>
                {valuesText(evaluation, numberFormat, rule)}
                <DifferenceLink evaluation={evaluation} rule={rule} tile={tile} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                {reasonLabels[evaluation.reason]}
                {evaluation.error ? `: ${withLocalTimes(plainProblem(evaluation.error.message))}` : ''}
                {problemText(evaluation)}
                {evaluation.clockSetBackMs
                  ? ` (the clock had been ahead by ${durationText(evaluation.clockSetBackMs)} and was set back)`
                  : ''}
                {evaluation.skippedWindows ? ` (${evaluation.skippedWindows} windows before it were skipped)` : ''}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** To what is different about the events of a window that fired. */
function DifferenceLink({
  evaluation,
  rule,
  tile,
}: Omit<EvaluationTableProps, 'evaluations' | 'numberFormat'> & {
  evaluation: AlertEvaluationRecord;
}) {
  const kinds = new Map(useSources().map(({ id, kind }) => [id, kind]));
  if (evaluation.state !== 'ALERT' || !tile) return null;
  const search = firingComparison(tile, evaluation, decidingGroup(evaluation, rule)?.group ?? []);
  const kind = search && kinds.get(search.source);
  if (!search || (kind !== 'log' && kind !== 'trace')) return null;
  return (
    <>
      {' '}
      <AnchorLink to="/search" search={search} size="xs" underline="always">
        What is different?
      </AnchorLink>
    </>
  );
}

function problemText(evaluation: AlertEvaluationRecord): string {
  const problem = deliveryProblem(evaluation);
  return problem ? ` ${problem}` : '';
}

function valuesText({ groups }: AlertEvaluationRecord, format: NumberFormat | undefined, rule: AlertRecord): string {
  const shown = groups
    .slice(0, 5)
    .map(({ group, value }) => [groupText(group), valueText(value, format, rule)].filter(Boolean).join(': '));
  return shown.join('; ') + (groups.length > shown.length ? `; and ${groups.length - shown.length} more` : '') || '–';
}

function toWindow(evaluation: AlertEvaluationRecord, alert: AlertRecord): StateWindow {
  const { windowStart, windowEnd, state } = evaluation;
  const value = decidingGroup(evaluation, alert)?.value ?? null;
  return { startMs: Date.parse(windowStart), endMs: Date.parse(windowEnd), state, value };
}
