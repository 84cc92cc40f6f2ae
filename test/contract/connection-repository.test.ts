import { onBothStores } from '../support/metadata-stores.ts';
import { connectionRepositoryContract } from './connection-repository.contract.ts';

onBothStores((underTest) => connectionRepositoryContract(() => underTest().store));
