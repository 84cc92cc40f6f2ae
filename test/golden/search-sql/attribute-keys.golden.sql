SELECT arrayResize(arraySort(groupUniqArrayArray(m0)), least(length(arraySort(groupUniqArrayArray(m0))), 2000)) AS k0,
  arrayResize(arraySort(groupUniqArrayArray(m1)), least(length(arraySort(groupUniqArrayArray(m1))), 2000)) AS k1
FROM (
  SELECT mapKeys(src.`LogAttributes`) AS m0,
    mapKeys(src.`ResourceAttributes`) AS m1
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND ((src.`TimestampTime` >= toDateTime({p3:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` <= toDateTime({p4:UInt32}, 'UTC')))
  LIMIT 5000
)
LIMIT 1
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "1736942400"
-- p4 = "1736945999"
