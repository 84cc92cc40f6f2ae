import { Text } from '@mantine/core';
import own from './WhereEditor.module.css';

export interface ProblemInText {
  message: string;
  /** Character, from 0. */
  position?: number | undefined;
}

/** What the API says about a text, below it. */
export function Problem({ error }: { error: ProblemInText | undefined }) {
  if (!error) return null;
  return (
    <Text size="xs" c="var(--sb-firing)" role="alert" className={own.problem ?? ''}>
      {error.message}
    </Text>
  );
}
