// A task list as ElectroDB stores it: entity and version in attributes, keys in lower case.
import assert from 'node:assert/strict';
import { Entity, Service } from 'electrodb';
import { client, createTable, main } from './client.mjs';

const table = 'interop-electrodb';

const stamps = {
  createdAt: {
    type: 'number',
    readOnly: true,
    required: true,
    default: () => Date.now(),
    set: () => Date.now(),
  },
  updatedAt: { type: 'number', watch: '*', required: true, default: () => Date.now(), set: () => Date.now() },
};

const User = new Entity(
  {
    model: { entity: 'user', version: '1', service: 'taskapp' },
    attributes: {
      userId: { type: 'string', required: true },
      email: { type: 'string', required: true },
      name: { type: 'string', required: true },
      visits: { type: 'number', default: 0 },
      balance: { type: 'number' },
      roles: { type: 'set', items: 'string' },
      scores: { type: 'set', items: 'number' },
      profile: {
        type: 'map',
        properties: {
          city: { type: 'string' },
          height: { type: 'number' },
          phones: { type: 'list', items: { type: 'string' } },
        },
      },
      settings: { type: 'any' },
      expiresAt: { type: 'number' },
      ...stamps,
    },
    indexes: {
      byId: { pk: { field: 'pk', composite: ['userId'] }, sk: { field: 'sk', composite: [] } },
      byEmail: {
        index: 'gsi1',
        pk: { field: 'gsi1pk', composite: ['email'] },
        sk: { field: 'gsi1sk', composite: [] },
      },
    },
  },
  { client, table },
);

const Task = new Entity(
  {
    model: { entity: 'task', version: '1', service: 'taskapp' },
    attributes: {
      userId: { type: 'string', required: true },
      projectId: { type: 'string', required: true },
      taskId: { type: 'string', required: true },
      title: { type: 'string', required: true },
      status: { type: ['open', 'done'], required: true },
      dueAt: { type: 'string', required: true },
      points: { type: 'number' },
      ...stamps,
    },
    indexes: {
      byUser: {
        pk: { field: 'pk', composite: ['userId'] },
        sk: { field: 'sk', composite: ['projectId', 'taskId'] },
      },
      byProject: {
        collection: 'work',
        index: 'gsi1',
        pk: { field: 'gsi1pk', composite: ['projectId'] },
        sk: { field: 'gsi1sk', composite: ['status', 'dueAt'] },
      },
    },
  },
  { client, table },
);

const app = new Service({ User, Task }, { client, table });

const ada = {
  userId: 'U1-Ada',
  email: 'Ada@Example.com',
  name: 'Ada',
  visits: 7,
  balance: 12.75,
  roles: ['admin', 'author'],
  scores: [3, 1.5, 20],
  profile: { city: 'London', height: 165, phones: ['+44 20', '+44 21'] },
  settings: { theme: null, beta: true, limits: [1, 'two', null] },
  expiresAt: 4102444800,
};

const task = (taskId, status, dueAt) => ({
  userId: 'U1-Ada',
  projectId: 'Engine',
  taskId,
  title: `Task ${taskId}`,
  status,
  dueAt,
  points: 3,
});

async function write() {
  await createTable(table, { name: 'gsi1', pk: 'gsi1pk', sk: 'gsi1sk' });
  await User.create(ada).go();
  await Task.create(task('T-1', 'open', '2025-07-01T00:00:00.000Z')).go();
  await Task.create(task('T-2', 'open', '2025-06-15T12:30:00.000Z')).go();
  await Task.create(task('T-3', 'done', '2025-05-01T00:00:00.000Z')).go();
}

const sorted = (set) => [...set].sort();

async function check() {
  const { data: user } = await User.get({ userId: 'u1-ada' }).go();
  const { createdAt, updatedAt, ...rest } = user;
  assert.deepEqual(
    { ...rest, roles: sorted(rest.roles), scores: sorted(rest.scores) },
    {
      ...ada,
      name: 'Ada Lovelace',
      visits: 8,
      roles: ['admin', 'author', 'rust'],
      scores: sorted(ada.scores),
    },
  );
  assert.equal(typeof createdAt, 'number');
  assert.equal(typeof updatedAt, 'number');
  const { data: found } = await User.query.byEmail({ email: 'ada@example.com' }).go();
  assert.equal(found.length, 1);

  // Moved to `done` by us, and to another place in the index.
  const { data: done } = await Task.query.byProject({ projectId: 'Engine', status: 'done' }).go();
  assert.deepEqual(done.map((it) => it.taskId), ['T-3', 'T-1']);
  const { data: open } = await Task.query.byProject({ projectId: 'Engine', status: 'open' }).go();
  assert.deepEqual(open.map((it) => it.taskId), ['T-2', 'T-4']);
  assert.equal(open[1].title, 'Task T-4');
  const work = await app.collections.work({ projectId: 'engine' }).go();
  assert.equal(work.data.Task.length, 4);

  // Merged and put by us: its attributes and its `__edb_v__` are there.
  const { data: kept } = await Task.get({ userId: 'U1-Ada', projectId: 'Engine', taskId: 'T-2' }).go();
  assert.deepEqual([kept.title, kept.points], ['Task T-2', 3]);

  // ElectroDB goes on where we stopped.
  await User.patch({ userId: 'U1-Ada' }).add({ visits: 1 }).go();
  assert.equal((await User.get({ userId: 'U1-Ada' }).go()).data.visits, 9);
}

await main({ write, check });
