// Orders as dynamodb-toolbox stores them: keys computed by hand, `_et`, `_ct` and `_md`.
import assert from 'node:assert/strict';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  DeleteItemCommand,
  Entity,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  Table,
  UpdateItemCommand,
  $add,
  any,
  binary,
  boolean,
  item,
  list,
  map,
  nul,
  number,
  record,
  set,
  string,
} from 'dynamodb-toolbox';
import { client, createTable, main } from './client.mjs';

const name = 'interop-toolbox';

const table = new Table({
  documentClient: DynamoDBDocumentClient.from(client),
  name,
  partitionKey: { name: 'pk', type: 'string' },
  sortKey: { name: 'sk', type: 'string' },
  indexes: {
    gsi1: {
      type: 'global',
      partitionKey: { name: 'gsi1pk', type: 'string' },
      sortKey: { name: 'gsi1sk', type: 'string' },
    },
  },
});

const Order = new Entity({
  name: 'Order',
  table,
  schema: item({
    customerId: string().key(),
    orderId: number().key(),
    status: string().enum('open', 'shipped'),
    total: number(),
    units: number(),
    paid: boolean(),
    coupon: nul().optional(),
    tags: set(string()).optional(),
    marks: set(number()).optional(),
    blobs: set(binary()).optional(),
    note: binary().optional(),
    lines: list(map({ sku: string(), quantity: number(), gift: boolean().optional() })),
    labels: record(string(), string()).optional(),
    extra: any().optional(),
    expireAt: number().optional(),
    version: number().default(1),
  }).and((schema) => ({
    gsi1pk: string().link(({ status }) => `STATUS#${status}`),
    gsi1sk: string().link(({ customerId, orderId }) => `ORDER#${customerId}#${String(orderId).padStart(6, '0')}`),
  })),
  computeKey: ({ customerId, orderId }) => ({
    pk: `CUSTOMER#${customerId}`,
    sk: `ORDER#${String(orderId).padStart(6, '0')}`,
  }),
});

const order = (orderId, status) => ({
  customerId: 'c1',
  orderId,
  status,
  total: 99.95,
  units: 3,
  paid: true,
  coupon: null,
  tags: new Set(['gift', 'priority']),
  marks: new Set([1, 2.5]),
  blobs: new Set([new Uint8Array([1]), new Uint8Array([2, 3])]),
  note: new Uint8Array([0, 255]),
  lines: [
    { sku: 's-1', quantity: 1, gift: true },
    { sku: 's-2', quantity: 2 },
  ],
  labels: { colour: 'red', size: 'L' },
  extra: { nested: [1, 'two', null, { deep: true }] },
  expireAt: 4102444800,
});

async function write() {
  await createTable(name, { name: 'gsi1', pk: 'gsi1pk', sk: 'gsi1sk' });
  for (const [orderId, status] of [[1, 'open'], [2, 'shipped'], [10, 'open']]) {
    await Order.build(PutItemCommand).item(order(orderId, status)).send();
  }
}

const get = async (orderId) =>
  (await Order.build(GetItemCommand).key({ customerId: 'c1', orderId }).send()).Item;

const query = async (partition) => {
  const query = table.build(QueryCommand).query({ index: 'gsi1', partition }).entities(Order);
  return (await query.send()).Items.map((it) => it.orderId);
};

async function check() {
  const { created, modified, gsi1pk, gsi1sk, ...found } = await get(1);
  assert.deepEqual(found, {
    ...order(1, 'shipped'),
    units: 4,
    tags: new Set(['gift', 'priority', 'rust']),
    version: 2,
  });
  assert.ok(!Number.isNaN(Date.parse(created)) && !Number.isNaN(Date.parse(modified)));
  assert.ok(modified > created);
  assert.deepEqual(await query('STATUS#open'), [10]);
  assert.deepEqual(await query('STATUS#shipped'), [1, 2, 11]);
  assert.equal((await get(11)).total, 5);

  // Merged and put by us.
  const { created: _c, modified: _m, gsi1pk: _p, gsi1sk: _s, ...kept } = await get(10);
  assert.deepEqual(kept, { ...order(10, 'open'), version: 3 });

  await Order.build(UpdateItemCommand).item({ customerId: 'c1', orderId: 1, units: $add(1) }).send();
  assert.equal((await get(1)).units, 5);
  await Order.build(DeleteItemCommand).key({ customerId: 'c1', orderId: 2 }).send();
}

await main({ write, check });
