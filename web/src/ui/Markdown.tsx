import { lazy, Suspense } from 'react';

const MarkdownText = lazy(async () => ({ default: (await import('./MarkdownText.tsx')).MarkdownText }));

/** Text with Markdown; raw HTML in it is shown as text. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={null}>
      <MarkdownText text={text} />
    </Suspense>
  );
}
