import { Page } from '../ui/Page.tsx';

export function SourcePage() {
  return <Page title="Source">{null}</Page>;
}
