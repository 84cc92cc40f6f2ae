import { CopyButton } from './CopyButton.tsx';
import classes from './Snippet.module.css';

/** Text for a terminal or a file, with a button that copies it. */
export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.snippet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
