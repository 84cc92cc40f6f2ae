import { Text } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';
import classes from './Snippet.module.css';

export interface SnippetProps {
  text: string;
  /** What the button copies: "curl line". */
  label: string;
  /** Said above it, where its place doesn't say what it is. */
  caption?: string;
  /** In a dialog that opens: the button is where one starts. */
  autoFocus?: boolean;
}

/** Text for a terminal or a file, with a button that copies it. */
export function Snippet({ text, label, caption, autoFocus }: SnippetProps) {
  const box = (
    <div className={classes.snippet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy ${label}`} autoFocus={autoFocus ?? false} />
      </div>
    </div>
  );
  if (!caption) return box;
  return (
    <div>
      <Text size="xs" fw={600} mb={2}>
        {caption}
      </Text>
      {box}
    </div>
  );
}
