import { lazy, Suspense } from 'react';

const Rendered = lazy(async () => ({ default: (await import('react-markdown')).default }));

/** Text with Markdown; raw HTML in it is shown as text. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={null}>
      <Rendered>{text}</Rendered>
    </Suspense>
  );
}
