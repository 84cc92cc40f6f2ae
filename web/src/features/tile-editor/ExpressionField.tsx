import { Input } from '@mantine/core';
import type { ProblemInText } from '../where-editor/Problem.tsx';
import { ExpressionEditor } from '../where-editor/WhereEditor.tsx';

export interface ExpressionFieldProps {
  label: string;
  /** What it is called among others of its label; the label when absent. */
  name?: string;
  description?: string;
  sourceId: string;
  value: string;
  onChange: (value: string) => void;
  hint: string;
  error?: ProblemInText | undefined;
}

/** An expression with its label. */
export function ExpressionField({ label, name = label, description, ...editor }: ExpressionFieldProps) {
  return (
    <Input.Wrapper label={label} labelElement="div" size="xs" description={description}>
      <ExpressionEditor label={name} {...editor} />
    </Input.Wrapper>
  );
}
