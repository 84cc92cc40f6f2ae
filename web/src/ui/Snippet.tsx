import { CopyButton } from './CopyButton.tsx';
import classes from './Snippet.module.css';

/** Text for a terminal or a file, with a button that copies it. */
export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.snippet}>
      <pre>{text}</pre>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
