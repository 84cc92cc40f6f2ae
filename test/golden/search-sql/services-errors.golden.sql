SELECT type AS type,
  argMax(message, at) AS last_message,
  argMax(trace_id, at) AS last_trace_id,
  sum(weight) AS spans,
  uniqExact(trace_id) AS traces,
  toUnixTimestamp64Milli(min(at)) AS first_ms,
  toUnixTimestamp64Milli(max(at)) AS last_ms
FROM (
  SELECT toDateTime64(src.`Timestamp`, 9) AS at,
    src.`TraceId` AS trace_id,
    substringUTF8(if((arrayElement(arrayElement(src.`Events.Attributes`, indexOf(src.`Events.Name`, {p1:String})), {p2:String}) != ''), arrayElement(arrayElement(src.`Events.Attributes`, indexOf(src.`Events.Name`, {p1:String})), {p2:String}), if((arrayElement(src.`SpanAttributes`, {p2:String}) != ''), arrayElement(src.`SpanAttributes`, {p2:String}), if((arrayElement(src.`SpanAttributes`, {p3:String}) != ''), arrayElement(src.`SpanAttributes`, {p3:String}), if((src.`StatusMessage` != ''), src.`StatusMessage`, '')))), 1, 500) AS type,
    substringUTF8(if((arrayElement(arrayElement(src.`Events.Attributes`, indexOf(src.`Events.Name`, {p1:String})), {p4:String}) != ''), arrayElement(arrayElement(src.`Events.Attributes`, indexOf(src.`Events.Name`, {p1:String})), {p4:String}), if((arrayElement(src.`SpanAttributes`, {p4:String}) != ''), arrayElement(src.`SpanAttributes`, {p4:String}), if((src.`StatusMessage` != ''), src.`StatusMessage`, ''))), 1, 500) AS message,
    toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)) AS weight
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p5:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p6:Int64}, 'UTC')))
    AND ((src.`ServiceName` = {p7:String}))
    AND (((src.`StatusCode` IN ({p8:String}, {p9:String}, {p10:String}, {p11:String}, {p12:String})) OR has(src.`Events.Name`, {p1:String})))
)
GROUP BY type
ORDER BY spans DESC, type
LIMIT 100
-- p1 = "exception"
-- p2 = "exception.type"
-- p3 = "error.type"
-- p4 = "exception.message"
-- p5 = "1736942400000"
-- p6 = "1736946000000"
-- p7 = "cart"
-- p8 = "Error"
-- p9 = "ERROR"
-- p10 = "error"
-- p11 = "STATUS_CODE_ERROR"
-- p12 = "2"
