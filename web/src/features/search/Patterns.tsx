import { Button, Group, Skeleton, Text } from '@mantine/core';
import type { EventPattern, PatternsMeta } from '../../../../src/contract/patterns.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from './Findings.module.css';
import { type EventSearch, usePatterns } from './search-queries.ts';
import { fieldOf, type WhereLanguage, withRegex } from './where-clause.ts';

interface Filter {
  where: string;
  language: WhereLanguage;
}

export interface PatternsProps {
  search: EventSearch;
  onEvents: (filter: Filter) => void;
}

/** What the events of a search say, in patterns of their texts. Each leads to its events. */
export function Patterns({ search, onEvents }: PatternsProps) {
  const { data, error, refetch } = usePatterns(search);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  const { patterns, meta } = data;
  if (patterns.length === 0) return <EmptyState title="Nothing found" hint="No event in this range matches." />;
  return (
    <section className={classes.findings} aria-label="Patterns">
      <Group className={classes.head ?? ''}>
        <Text size="xs" role="status">
          {headText(meta, patterns.length)}
        </Text>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label="List of patterns">
        <table className={classes.patterns}>
          <thead>
            <tr>
              <th scope="col">Events</th>
              <th scope="col">Share</th>
              <th scope="col">Pattern</th>
              <th scope="col" aria-label="Actions" />
            </tr>
          </thead>
          <tbody>
            {patterns.map((pattern) => (
              <PatternRow
                key={pattern.pattern}
                {...pattern}
                filter={pattern.regex === null ? undefined : withRegex(search, fieldOf(meta.field), pattern.regex)}
                onEvents={onEvents}
              />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function headText({ events, read, patterns }: PatternsMeta, shown: number): string {
  const number = (count: number) => count.toLocaleString('en-US');
  const of =
    read < events
      ? `${number(read)} of ${number(events)} events, from parts of the range that are evenly spread`
      : `all ${number(events)} events`;
  const which = shown < patterns ? `The ${number(shown)} most frequent of ${number(patterns)} patterns` : 'Patterns';
  return `${which} of ${of}.`;
}

interface PatternRowProps extends EventPattern {
  /** Finds exactly its events. */
  filter: Filter | undefined;
  onEvents: PatternsProps['onEvents'];
}

function PatternRow({ pattern, count, share, example, filter, onEvents }: PatternRowProps) {
  return (
    <tr>
      <td>{count.toLocaleString('en-US')}</td>
      <td className={classes.share}>
        <span>{(share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}%</span>
        <i className={classes.selectionBar} style={{ width: `${share * 100}%` }} />
      </td>
      <td>
        <div className={classes.pattern}>
          {pattern.split('<*>').map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which never move
            <span key={index}>
              {index > 0 ? <mark>*</mark> : null}
              {text}
            </span>
          ))}
        </div>
        <div className={classes.example} title={example}>
          {example}
        </div>
      </td>
      <td className={classes.action}>
        {filter ? (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Show events with ${pattern}`}
            onClick={() => onEvents(filter)}
          >
            Show events
          </Button>
        ) : (
          <span className={classes.muted}>No filter finds exactly these.</span>
        )}
      </td>
    </tr>
  );
}
