SELECT tupleElement(cell, 1) AS ts,
  g0 AS g0,
  tupleElement(cell, 2) AS n0,
  tupleElement(cell, 3) AS v0,
  tupleElement(cell, 4) AS n1,
  tupleElement(cell, 5) AS v1,
  groups_total AS groups_total
FROM (
  SELECT g0 AS g0,
    groupArray(tuple(ts, n0, v0, n1, v1)) AS cells,
    sum((n0 + n1)) AS group_rows,
    count() OVER () AS groups_total
  FROM (
    SELECT bucket AS ts,
      service_name AS g0,
      sumIf(bucket_rows, (positionCaseInsensitive(severity_text, {p1:String}) > 0)) AS n0,
      toNullable(toFloat64(sumIf(bucket_rows, (positionCaseInsensitive(severity_text, {p1:String}) > 0)))) AS v0,
      sum(bucket_rows) AS n1,
      toNullable(toFloat64(sum(bucket_rows))) AS v1
    FROM (
      SELECT (intDiv((toInt64(toUnixTimestamp(toStartOfMinute(src.`TimestampTime`))) * 1000), 300000) * 300000) AS bucket,
        src.`ServiceName` AS service_name,
        src.`SeverityText` AS severity_text,
        count() AS bucket_rows
      FROM `otel`.`otel_logs` AS src
      WHERE ((toStartOfMinute(src.`TimestampTime`) >= toDateTime({p2:UInt32}, 'UTC')))
        AND ((toStartOfMinute(src.`TimestampTime`) < toDateTime({p3:UInt32}, 'UTC')))
      GROUP BY bucket, service_name, severity_text
    )
    GROUP BY ts, g0
  )
  GROUP BY g0
  ORDER BY group_rows DESC, g0
  LIMIT 1000
)
ARRAY JOIN cells AS cell
ORDER BY ts, g0
LIMIT 100001
-- p1 = "error"
-- p2 = "1736942400"
-- p3 = "1736946000"
