// The engine under test, and a table for each library. Everything is on the loopback interface.
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';

export const client = new DynamoDBClient({
  endpoint: process.env.DYNAMO_ENDPOINT,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

/** Creates a table with string keys `pk` and `sk`, and one index. */
export async function createTable(name, index) {
  const keys = (pk, sk) => [
    { AttributeName: pk, KeyType: 'HASH' },
    { AttributeName: sk, KeyType: 'RANGE' },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', index.pk, index.sk].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: [
        {
          IndexName: index.name,
          KeySchema: keys(index.pk, index.sk),
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
}

/** Runs `write` or `check`, as the first argument says. */
export async function main(steps) {
  const step = steps[process.argv[2]];
  if (!step) throw new Error(`write or check, not ${process.argv[2]}`);
  await step();
}
