import { onBothStores } from '../support/metadata-stores.ts';
import { dashboardHistoryContract } from './dashboard-history.contract.ts';

onBothStores((underTest) => dashboardHistoryContract(() => underTest().store));
