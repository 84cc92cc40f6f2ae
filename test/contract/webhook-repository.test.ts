import { onBothStores } from '../support/metadata-stores.ts';
import { webhookRepositoryContract } from './webhook-repository.contract.ts';

onBothStores((underTest) =>
  webhookRepositoryContract(() => ({ webhooks: underTest().store.webhooks, raw: underTest().raw })),
);
