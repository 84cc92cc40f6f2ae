SELECT arrayResize(arraySort(groupUniqArrayArray(m0)), least(length(arraySort(groupUniqArrayArray(m0))), 2000)) AS k0,
  arrayResize(arraySort(groupUniqArrayArray(m1)), least(length(arraySort(groupUniqArrayArray(m1))), 2000)) AS k1
FROM (
  SELECT mapKeys(src.`LogAttributes`) AS m0,
    mapKeys(src.`ResourceAttributes`) AS m1
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  LIMIT 5000
)
LIMIT 1
-- p1 = "1736942400"
-- p2 = "1736946000"
