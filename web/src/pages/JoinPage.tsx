import { Page } from '../ui/Page.tsx';

export function JoinPage() {
  return <Page title="Join">{null}</Page>;
}
