// Accounts and users as OneTable stores them: a type attribute, ISO dates, NULLs, unique values as items.
import assert from 'node:assert/strict';
import { Table } from 'dynamodb-onetable';
import { client, createTable, main } from './client.mjs';

const name = 'interop-onetable';

const schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gs1: { hash: 'gs1pk', sort: 'gs1sk', project: 'all' },
  },
  models: {
    Account: {
      pk: { type: String, value: 'Account#${id}' },
      sk: { type: String, value: 'Account#' },
      id: { type: String, required: true },
      name: { type: String, required: true },
      balance: { type: Number, default: 0 },
    },
    User: {
      pk: { type: String, value: 'Account#${accountId}' },
      sk: { type: String, value: 'User#${id}' },
      gs1pk: { type: String, value: 'User#${status}' },
      gs1sk: { type: String, value: 'User#${joined}' },
      accountId: { type: String, required: true },
      id: { type: String, required: true },
      email: { type: String, required: true, unique: true },
      status: { type: String, required: true, enum: ['active', 'idle'] },
      joined: { type: String, required: true },
      nickname: { type: String },
      admin: { type: Boolean },
      visits: { type: Number },
      groups: { type: Set },
      address: {
        type: Object,
        schema: { street: { type: String }, zip: { type: String }, lines: { type: Array } },
      },
      lastSeen: { type: Date },
      expires: { type: Date, ttl: true },
      avatar: { type: 'binary' },
    },
  },
  params: { isoDates: true, timestamps: true, nulls: true, typeField: '_type' },
};

const table = new Table({ client, name, schema, partial: true });
const Account = table.getModel('Account');
const User = table.getModel('User');

const account = { id: 'a1', name: 'Analytical', balance: 10.5 };
const user = (id, status, joined) => ({
  accountId: 'a1',
  id,
  email: `${id}@example.com`,
  status,
  joined,
  nickname: null,
  admin: id === 'ada',
  visits: 7,
  groups: new Set(['beta', 'staff']),
  address: { street: 'St James 12', zip: 'SW1', lines: ['one', 2, null] },
  lastSeen: new Date('2025-07-01T10:20:30.456Z'),
  expires: new Date('2100-01-01T00:00:00Z'),
  avatar: Buffer.from([1, 2, 253]),
});

async function write() {
  await createTable(name, { name: 'gs1', pk: 'gs1pk', sk: 'gs1sk' });
  await Account.create(account);
  await User.create(user('ada', 'active', '2025-01-10'));
  await User.create(user('babbage', 'active', '2025-01-09'));
  await User.create(user('Grace', 'idle', '2025-01-08'));
}

async function check() {
  const found = await User.get({ accountId: 'a1', id: 'ada' });
  const { created, updated, avatar, ...rest } = found;
  const expected = { ...user('ada', 'idle', '2025-01-10'), visits: 8 };
  delete expected.avatar;
  expected.groups = new Set(['beta', 'staff', 'rust']);
  assert.deepEqual(
    { ...rest, nickname: rest.nickname ?? null, groups: new Set([...rest.groups].sort()) },
    { ...expected, groups: new Set([...expected.groups].sort()) },
  );
  assert.deepEqual([...avatar], [1, 2, 253]);
  assert.ok(created instanceof Date && updated instanceof Date && updated >= created);

  const idle = await User.find({ status: 'idle' }, { index: 'gs1' });
  assert.deepEqual(idle.map((it) => it.id), ['Grace', 'ada']);
  const active = await User.find({ status: 'active' }, { index: 'gs1' });
  assert.deepEqual(active.map((it) => it.id), ['babbage']);
  assert.equal((await Account.get({ id: 'a1' })).name, 'Analytical Engines');

  // Merged and put by us.
  const babbage = await User.get({ accountId: 'a1', id: 'babbage' });
  const { admin, address, lastSeen } = user('babbage', 'active', '2025-01-09');
  assert.deepEqual([...babbage.avatar], [1, 2, 253]);
  assert.deepEqual(
    { admin: babbage.admin, address: babbage.address, lastSeen: babbage.lastSeen },
    { admin, address, lastSeen },
  );

  // The address of the mail is still OneTable's to keep unique.
  await assert.rejects(User.create({ ...user('eve', 'idle', '2025-02-01'), email: 'ada@example.com' }));
  await User.update({ accountId: 'a1', id: 'ada', visits: 9 });
  assert.equal((await User.get({ accountId: 'a1', id: 'ada' })).visits, 9);
}

await main({ write, check });
