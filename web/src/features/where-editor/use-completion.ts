import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { SourceField } from '../../../../src/contract/completion.ts';
import { sqlMacros } from '../../../../src/contract/sql-macros.ts';
import type { WhereLanguage } from '../search/where-clause.ts';
import { completionPlace, writtenValue } from './completion-place.ts';
import { fieldsQuery, valuesQuery } from './source-queries.ts';

const valueLengthShown = 80;

/** Proposes fields of the source and values of the field before the cursor. A source that can't say proposes none. */
export function useWhereCompletion(sourceId: string, language: WhereLanguage) {
  const client = useQueryClient();
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const place = completionPlace(context.state.sliceDoc(0, context.pos), language);
    if (!place || sourceId === '') return null;
    if (place.kind === 'field') {
      if (place.prefix === '' && !context.explicit) return null;
      const fields = await fieldsOf(client, sourceId);
      const options = fields.map((field) => fieldOption(field, language === 'sql' ? field.sql : `${field.name}:`));
      return { from: place.from, options, validFor: /^[\w.\-/@]*$/ };
    }
    const field = await nameOfField(client, sourceId, place.field);
    const values = await client.fetchQuery(valuesQuery(sourceId, field, place.prefix)).catch(() => []);
    return {
      from: place.from,
      to: afterQuote(context, place.quote ? (language === 'sql' ? "'" : '"') : ''),
      filter: false,
      options: values.map(({ value, count }) => ({
        label: value.slice(0, valueLengthShown),
        apply: writtenValue(value, language),
        ...(count === undefined ? {} : { detail: String(count) }),
      })),
    };
  };
}

/** Proposes names of fields, in the form of SQL, for `field` and `groupBy`. */
export function useFieldCompletion(sourceId: string) {
  const client = useQueryClient();
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w.]*/);
    if (sourceId === '' || !word || (word.text === '' && !context.explicit)) return null;
    const fields = await fieldsOf(client, sourceId);
    return { from: word.from, options: fields.map((field) => fieldOption(field, field.sql)), validFor: /^[\w.]*$/ };
  };
}

/** Proposes macros behind a dollar sign, and columns of the source. */
export function useSqlCompletion(sourceId: string) {
  const fields = useFieldCompletion(sourceId);
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const macro = context.matchBefore(/\$\w*/);
    if (!macro) return fields(context);
    const options = sqlMacros.map(({ name, args, about }) => ({ label: name, apply: `${name}${args}`, info: about }));
    return { from: macro.from, options, validFor: /^\$\w*$/ };
  };
}

function fieldOption({ name, type }: SourceField, apply: string): Completion {
  return { label: name, apply, detail: type };
}

function fieldsOf(client: QueryClient, sourceId: string): Promise<SourceField[]> {
  return client.fetchQuery(fieldsQuery(sourceId)).catch(() => []);
}

async function nameOfField(client: QueryClient, sourceId: string, written: string): Promise<string> {
  const fields = await fieldsOf(client, sourceId);
  return fields.find(({ name, sql }) => name === written || sql === written)?.name ?? written;
}

/** The closing quote that the editor put there is replaced too. */
function afterQuote(context: CompletionContext, quote: string): number {
  const next = context.state.sliceDoc(context.pos, context.pos + 1);
  return quote !== '' && next === quote ? context.pos + 1 : context.pos;
}
