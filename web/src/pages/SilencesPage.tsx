import { Page } from '../ui/Page.tsx';

export function SilencesPage() {
  return <Page title="Silences">{null}</Page>;
}
