import { Textarea } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Problem, type ProblemInText } from './Problem.tsx';
import { useSqlCompletion } from './use-completion.ts';
import own from './WhereEditor.module.css';

const CodeLine = lazy(async () => ({ default: (await import('./CodeLine.tsx')).CodeLine }));

export interface SqlEditorProps {
  value: string;
  onChange: (value: string) => void;
  sourceId: string;
  hint: string;
  error?: ProblemInText | undefined;
}

/** A statement in several lines, with completion of macros and columns, and with the API's error at its place. */
export function SqlEditor({ value, onChange, sourceId, hint, error }: SqlEditorProps) {
  const complete = useSqlCompletion(sourceId);
  return (
    <div className={own.editor}>
      <Suspense
        fallback={
          <Textarea
            aria-label="SQL"
            autosize
            minRows={6}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        }
      >
        <CodeLine
          label="SQL"
          value={value}
          onChange={onChange}
          complete={complete}
          hint={hint}
          multiline
          invalid={error !== undefined}
          problemPosition={error?.position}
        />
      </Suspense>
      <Problem error={error} />
    </div>
  );
}
