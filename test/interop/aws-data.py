# Fills the stores of moto: python aws-data.py ENDPOINT STEP [...]; prints one line of JSON.
import json
import sys

import boto3

endpoint, step, *rest = sys.argv[1:]
access = dict(
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id="AKIDOFTHETEST0000001",
    aws_secret_access_key="a-secret-of-the-test",
)


def client(service):
    return boto3.client(service, **access)


def lines(first, count):
    return "".join(json.dumps({"id": first + at, "name": "n"}) + "\n" for at in range(count))


if step == "objects":
    first, objects, per_object = map(int, rest)
    for at in range(objects):
        start = first + at * per_object
        client("s3").put_object(Bucket="lake", Key=f"in/day {start}+ü/a&b.json", Body=lines(start, per_object))
    answer = {}
elif step == "bucket":
    client("s3").create_bucket(Bucket="lake")
    queue = client("sqs").create_queue(QueueName="news")["QueueUrl"]
    arn = client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    client("s3").put_bucket_notification_configuration(
        Bucket="lake",
        NotificationConfiguration={"QueueConfigurations": [{"QueueArn": arn, "Events": ["s3:ObjectCreated:*"]}]},
    )
    answer = {"queue": queue}
elif step == "left":
    attributes = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    counts = client("sqs").get_queue_attributes(QueueUrl=rest[0], AttributeNames=attributes)["Attributes"]
    answer = {"messages": sum(int(counts[name]) for name in attributes)}
elif step == "stream":
    client("kinesis").create_stream(StreamName="clicks", ShardCount=3)
    answer = {}
elif step == "records":
    first, count = map(int, rest)
    records = [
        {"Data": json.dumps({"id": first + at, "name": "n"}).encode(), "PartitionKey": str(at)} for at in range(count)
    ]
    client("kinesis").put_records(StreamName="clicks", Records=records)
    answer = {}
else:
    raise SystemExit(f"no such step: {step}")
print(json.dumps(answer))
