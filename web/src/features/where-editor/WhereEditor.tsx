import { SegmentedControl } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { WhereLanguage } from '../search/where-clause.ts';
import classes from './CodeLine.module.css';
import { Problem, type ProblemInText } from './Problem.tsx';
import { useFieldCompletion, useWhereCompletion } from './use-completion.ts';
import own from './WhereEditor.module.css';

const CodeLine = lazy(async () => ({ default: (await import('./CodeLine.tsx')).CodeLine }));

export interface WhereEditorProps {
  value: string;
  language: WhereLanguage;
  onChange: (value: string) => void;
  onLanguageChange: (language: WhereLanguage) => void;
  sourceId: string;
  /** What the API says about this text. */
  error?: ProblemInText | undefined;
  /** Enter was pressed. */
  onSubmit?: () => void;
  label?: string;
  hint?: string;
}

const hints: Record<WhereLanguage, string> = {
  lucene: 'SeverityText:error AND "connection reset"',
  sql: "SeverityText = 'error' AND Body LIKE '%reset%'",
};

/** A filter in Lucene or SQL, with completion, and with the API's error at its place. */
export function WhereEditor(props: WhereEditorProps) {
  const { value, language, onChange, onLanguageChange, sourceId, error, label = 'Filter' } = props;
  const complete = useWhereCompletion(sourceId, language);
  return (
    <div className={own.editor}>
      <div className={own.row}>
        <Suspense fallback={<PlainLine label={label} value={value} onChange={onChange} />}>
          <CodeLine
            label={label}
            value={value}
            onChange={onChange}
            onSubmit={props.onSubmit}
            hint={props.hint ?? hints[language]}
            complete={complete}
            invalid={error !== undefined}
            problemPosition={error?.position}
            key={language}
          />
        </Suspense>
        <SegmentedControl
          size="xs"
          aria-label={`Language of ${label.toLowerCase()}`}
          value={language}
          onChange={(next) => onLanguageChange(next === 'sql' ? 'sql' : 'lucene')}
          data={[
            { value: 'lucene', label: 'Lucene' },
            { value: 'sql', label: 'SQL' },
          ]}
        />
      </div>
      <Problem error={error} />
    </div>
  );
}

export interface ExpressionEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  sourceId: string;
  hint?: string;
  error?: ProblemInText | undefined;
  onSubmit?: () => void;
}

/** A column, attribute or function of them, with completion of their names. */
export function ExpressionEditor({ error, sourceId, ...props }: ExpressionEditorProps) {
  const complete = useFieldCompletion(sourceId);
  return (
    <div className={own.editor}>
      <Suspense fallback={<PlainLine {...props} />}>
        <CodeLine {...props} complete={complete} invalid={error !== undefined} problemPosition={error?.position} />
      </Suspense>
      <Problem error={error} />
    </div>
  );
}

/** What can be typed into until the editor is loaded. */
function PlainLine({ label, value, onChange }: Pick<ExpressionEditorProps, 'label' | 'value' | 'onChange'>) {
  return (
    <div className={classes.line}>
      <input
        className={classes.plain}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
