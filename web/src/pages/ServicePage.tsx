import { Page } from '../ui/Page.tsx';

export function ServicePage() {
  return <Page title="Service">{null}</Page>;
}
