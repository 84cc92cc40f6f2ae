import { Page } from '../ui/Page.tsx';

export function SourcesPage() {
  return <Page title="Sources">{null}</Page>;
}
