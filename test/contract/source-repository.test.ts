import { onBothStores } from '../support/metadata-stores.ts';
import { sourceRepositoryContract } from './source-repository.contract.ts';

onBothStores((underTest) => sourceRepositoryContract(() => underTest().store));
