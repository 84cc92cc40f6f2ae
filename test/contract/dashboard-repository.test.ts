import { onBothStores } from '../support/metadata-stores.ts';
import { dashboardRepositoryContract } from './dashboard-repository.contract.ts';

onBothStores((underTest) =>
  dashboardRepositoryContract(() => ({ dashboards: underTest().store.dashboards, raw: underTest().raw })),
);
