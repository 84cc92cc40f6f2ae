import { ActionIcon, Select, Skeleton, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Facet } from '../../../../src/contract/completion.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { fieldsQuery } from '../where-editor/source-queries.ts';
import { usualFacets } from './event-columns.ts';
import classes from './Search.module.css';
import { type EventSearch, useFacets } from './search-queries.ts';
import { type ClauseTest, type FilterField, stateOfValue } from './where-clause.ts';

const attributesShown = 6;
const fieldsMax = 20;

export interface FacetListProps {
  search: EventSearch;
  onToggle: (test: ClauseTest) => void;
}

/** The commonest values of some fields in what was found; a click narrows the search to one or leaves it out. */
export function FacetList({ search, onToggle }: FacetListProps) {
  const known = useQuery(fieldsQuery(search.source.id)).data ?? [];
  const isNarrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false });
  const [added, setAdded] = useState<readonly string[]>([]);
  const usual = usualFacets(search.source);
  const attributes = known.filter(({ kind }) => kind === 'attribute');
  const own = attributes.filter(({ name }) => !name.startsWith('ResourceAttributes.')).slice(0, attributesShown);
  const asked = known.filter(({ name }) => added.includes(name));
  const fields = uniqueFields([...asked, ...usual, ...own]).slice(0, fieldsMax);
  const { data, error } = useFacets(search, fields);
  const choices = known.filter(({ type, name }) => isCountable(type) && !fields.some((each) => each.name === name));
  return (
    <aside className={classes.facets} aria-label="Values of fields">
      <Select
        size="xs"
        mb={8}
        searchable
        aria-label="Add a field"
        placeholder="Add a field"
        value={null}
        limit={100}
        data={choices.map(({ name }) => name)}
        onChange={(name) => name && setAdded((before) => [...before, name])}
      />
      {error ? <ErrorNotice error={error} /> : null}
      {data || error ? null : <Skeleton height={160} />}
      {data?.sampled ? (
        <Text size="xs" c="var(--sb-muted)" px={4} pb={6}>
          Counts are estimates: the range is large.
        </Text>
      ) : null}
      {data?.facets.map((facet, index) => {
        const field = fields.find(({ sql }) => sql === facet.field);
        return field ? (
          <FacetOfField
            key={facet.field}
            {...{ facet, field, search, onToggle }}
            isAsked={added.includes(field.name)}
            opened={index < 6 && !isNarrow}
          />
        ) : null;
      })}
    </aside>
  );
}

interface FacetOfFieldProps extends FacetListProps {
  facet: Facet;
  field: FilterField;
  opened: boolean;
  /** The user wants to see this field, whatever it contains. */
  isAsked: boolean;
}

/** Where every value is there once it is an id: nothing is narrowed down by it. A single value says something. */
function isTelling({ values }: Facet): boolean {
  return values.length === 1 || values.some(({ count }) => count > 1);
}

function FacetOfField({ facet, field, opened, isAsked, search, onToggle }: FacetOfFieldProps) {
  if (facet.values.length === 0 || !(isAsked || isTelling(facet))) return null;
  return (
    <details className={classes.facet} open={opened}>
      <summary className={classes.facetName} title={field.name}>
        {shortName(field.name)}
      </summary>
      {facet.values.map(({ value, count }) => {
        const said = stateOfValue(search.where, field, value, search.language);
        return (
          <div key={value} className={classes.value}>
            <button
              type="button"
              className={classes.valueButton}
              aria-pressed={said === 'include'}
              title={value}
              onClick={() => onToggle({ field, value, mode: said ?? 'include' })}
            >
              <span className={`${classes.valueText} ${said ? classes[`${said}d`] : ''}`}>{value || '(empty)'}</span>
            </button>
            <span className={classes.count}>{count.toLocaleString('en-US')}</span>
            <ActionIcon
              size={20}
              variant="subtle"
              color="gray"
              aria-label={`Exclude ${field.name} ${value || '(empty)'}`}
              aria-pressed={said === 'exclude'}
              onClick={() => onToggle({ field, value, mode: 'exclude' })}
            >
              <IconMinus size={12} />
            </ActionIcon>
          </div>
        );
      })}
    </details>
  );
}

function uniqueFields(fields: readonly FilterField[]): FilterField[] {
  return [...new Map(fields.map((field) => [field.sql, field])).values()];
}

/** Without the map that an attribute is in: facets of attributes are grouped. */
function shortName(name: string): string {
  return name.replace(/^(Log|Span|Event)Attributes\./, '');
}

const isCountable = (type: FilterField['type']): boolean => type !== 'map' && type !== 'array' && type !== 'date';
