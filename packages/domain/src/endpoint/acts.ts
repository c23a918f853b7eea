import type { Declared } from '@gateway/database/audit-log/declared';
import { deleteEndpoint, type Endpoint, insertEndpoint, lockEndpoint, updateEndpoint } from './console.ts';
import { deleteModel, insertModel, lockModel, type Model, updateModel } from './console-models.ts';

export const MODELS: Declared<'model', Model> = {
  kind: 'model',
  named: 'slug',
  insert: insertModel,
  lock: lockModel,
  update: updateModel,
  remove: deleteModel,
};

export const ENDPOINTS: Declared<'endpoint', Endpoint> = {
  kind: 'endpoint',
  named: 'name',
  insert: insertEndpoint,
  lock: lockEndpoint,
  update: updateEndpoint,
  remove: deleteEndpoint,
};
