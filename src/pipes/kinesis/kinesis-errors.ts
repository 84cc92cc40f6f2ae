import { awsErrorOf } from '../aws/aws-errors.ts';

const noKey = 'The key that encrypts the stream cannot be used with the access key of the pipe.';

/** In sentences of our own. */
export function kinesisErrorOf(error: unknown): unknown {
  return awsErrorOf(error, {
    subject: 'the stream',
    rights: 'kinesis:DescribeStream, kinesis:ListShards, kinesis:GetShardIterator and kinesis:GetRecords',
    rejections: {
      KMSAccessDeniedException: noKey,
      KMSDisabledException: noKey,
      KMSInvalidStateException: noKey,
      KMSNotFoundException: noKey,
      KMSOptInRequired: noKey,
    },
    troubles: { ResourceNotFoundException: 'There is no stream of this name in this region.' },
  });
}
