import { Page } from '../ui/Page.tsx';

export function SearchPage() {
  return <Page title="Search">{null}</Page>;
}
