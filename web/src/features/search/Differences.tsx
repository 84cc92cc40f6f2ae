import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { AttributeDelta, DeltasMeta } from '../../../../src/contract/deltas.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { instantText } from '../../ui/instant-text.ts';
import classes from './Findings.module.css';
import { useDeltas } from './search-queries.ts';
import type { Comparison, EventSelection } from './search-selection.ts';
import type { ClauseTest } from './where-clause.ts';

export interface DifferencesProps {
  comparison: Comparison | undefined;
  /** Shows the selected events, or those of them with this value, or without it. */
  onEvents: (selection: EventSelection, test?: ClauseTest) => void;
}

/** What is different about a selection of events: attributes whose values are distributed differently in the rest. */
export function Differences({ comparison, onEvents }: DifferencesProps) {
  if (!comparison) {
    return (
      <EmptyState
        title="Nothing is selected"
        hint="Filter events to compare those that match with all others in the range, or drag over a heatmap and choose “Compare with the rest”."
      />
    );
  }
  return <Compared comparison={comparison} onEvents={onEvents} />;
}

function Compared({ comparison, onEvents }: DifferencesProps & { comparison: Comparison }) {
  const { data, error, refetch } = useDeltas(comparison);
  const { selection } = comparison;
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  const { deltas, meta } = data;
  return (
    <section className={classes.findings} aria-label="Differences">
      <Group className={classes.head ?? ''}>
        <Text size="xs" role="status">
          <i className={classes.selectionMark} /> {sideText(meta.selection)} selected{' '}
          {comparison.isChosen ? (
            <span className={classes.muted}>
              ({instantText(selection.range.startMs)} to {instantText(selection.range.endMs)}
              {selection.where ? `, ${selection.where}` : ''})
            </span>
          ) : null}{' '}
          against <i className={classes.restMark} /> {sideText(meta.rest)} of the rest. {sampleText(meta)}
        </Text>
        <Button variant="default" size="compact-xs" onClick={() => onEvents(selection)}>
          Show the selected events
        </Button>
      </Group>
      {deltas.length === 0 ? <NoDifference meta={meta} /> : null}
      <div className={classes.cards}>
        {deltas.map((delta) => (
          <DeltaCard key={delta.attribute} delta={delta} onTest={(test) => onEvents(selection, test)} />
        ))}
      </div>
    </section>
  );
}

function sideText({ events }: DeltasMeta['selection']): string {
  return `${events.toLocaleString('en-US')} ${events === 1 ? 'event' : 'events'}`;
}

function sampleText({ selection, rest, attributes }: DeltasMeta): string {
  const compared = `${attributes.toLocaleString('en-US')} attributes were compared.`;
  if (!selection.sampled && !rest.sampled) return compared;
  const which =
    selection.sampled && rest.sampled
      ? 'Both are samples'
      : rest.sampled
        ? 'The rest is a sample'
        : 'The selection is a sample';
  return `${compared} ${which} from parts of the range that are evenly spread.`;
}

function NoDifference({ meta }: { meta: DeltasMeta }) {
  if (meta.selection.events === 0)
    return <EmptyState title="No event is selected" hint="Select others, or a longer time." />;
  if (meta.rest.events === 0) {
    return <EmptyState title="There is no rest" hint="Every event in this range is selected. Look further back." />;
  }
  return (
    <EmptyState
      title="Nothing differs by more than chance"
      hint="The values of all attributes are distributed alike in both."
    />
  );
}

function DeltaCard({ delta, onTest }: { delta: AttributeDelta; onTest: (test: ClauseTest) => void }) {
  const { name, attribute, values } = delta;
  const field = { name, sql: attribute, type: 'string' as const };
  return (
    <article className={classes.card} aria-label={name}>
      <h3 title={name}>{name}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Selected</th>
            <th scope="col">Rest</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {values.slice(0, 6).map(({ value, selection, rest }) => (
            <tr key={JSON.stringify(value)}>
              <th scope="row" title={value ?? 'not set'}>
                {value ?? <em>not set</em>}
              </th>
              <ShareCell {...selection} className={classes.selectionBar} />
              <ShareCell {...rest} className={classes.restBar} />
              <td className={classes.actions}>
                {value === null ? null : (
                  <>
                    <button
                      type="button"
                      aria-label={`Show events with ${name} ${value}`}
                      onClick={() => onTest({ field, value, mode: 'include' })}
                    >
                      <IconPlus size={12} />
                    </button>
                    <button
                      type="button"
                      aria-label={`Show events without ${name} ${value}`}
                      onClick={() => onTest({ field, value, mode: 'exclude' })}
                    >
                      <IconMinus size={12} />
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

function ShareCell({ share, count, className }: { share: number; count: number; className: string | undefined }) {
  return (
    <td className={classes.share} title={`${count.toLocaleString('en-US')} ${count === 1 ? 'event' : 'events'}`}>
      <span>{shareText(share)}</span>
      <i className={className} style={{ width: `${share * 100}%` }} />
    </td>
  );
}

/** `0%` only for none. */
function shareText(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%';
  return `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}%`;
}
