import { Page } from '../ui/Page.tsx';

export function PipePage() {
  return <Page title="Pipe">{null}</Page>;
}
