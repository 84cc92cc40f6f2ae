import { CopyButton } from './CopyButton.tsx';

/** Copies a request as a command; nothing where holders of keys have no such operation. */
export function CopyCurl({ value, framed = false }: { value: string | undefined; framed?: boolean }) {
  return value === undefined ? null : <CopyButton value={value} label="Copy as curl" framed={framed} />;
}
