SELECT f AS f,
  k AS k,
  v AS v,
  a AS a,
  b AS b,
  has_a AS has_a,
  has_b AS has_b,
  all_a AS all_a,
  all_b AS all_b,
  attributes AS attributes
FROM (
  SELECT f AS f,
    k AS k,
    v AS v,
    a AS a,
    b AS b,
    sum(a) OVER (PARTITION BY f, k) AS has_a,
    sum(b) OVER (PARTITION BY f, k) AS has_b,
    max(if((f < 0), a, 0)) OVER () AS all_a,
    max(if((f < 0), b, 0)) OVER () AS all_b,
    (uniqExact(tuple(f, k)) OVER () - 1) AS attributes
  FROM (
    SELECT tupleElement(cell, 1) AS f,
      tupleElement(cell, 2) AS k,
      tupleElement(cell, 3) AS v,
      countIf(is_selected) AS a,
      countIf(NOT (is_selected)) AS b
    FROM (
      SELECT ifNull(((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')) AND (src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')) AND (src.`Duration` >= {p3:Int64})), 0) AS is_selected,
        arrayConcat([tuple(toInt64(-1), '', ''), tuple(toInt64(0), '', toString(src.`ServiceName`)), tuple(toInt64(1), '', toString(src.`SpanName`)), tuple(toInt64(2), '', toString(src.`StatusCode`)), tuple(toInt64(3), '', toString(src.`StatusMessage`)), tuple(toInt64(4), '', toString(src.`SpanKind`))], arrayMap((key, value) -> tuple(toInt64(5), toString(key), toString(value)), mapKeys(src.`SpanAttributes`), mapValues(src.`SpanAttributes`)), arrayMap((key, value) -> tuple(toInt64(6), toString(key), toString(value)), mapKeys(src.`ResourceAttributes`), mapValues(src.`ResourceAttributes`))) AS row_cells
      FROM `otel`.`otel_traces` AS src
      WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
        AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
        AND ((src.`ServiceName` = {p5:String}))
    )
    ARRAY JOIN row_cells AS cell
    WHERE (((tupleElement(cell, 1) = -1) OR ((tupleElement(cell, 3) != '') AND (length(tupleElement(cell, 3)) <= 256))))
    GROUP BY f, k, v
  )
)
ORDER BY if((f < 0), 2, abs(((a / greatest(all_a, 1)) - (b / greatest(all_b, 1))))) DESC, f, k, v
LIMIT 1001
-- p1 = "1736942400000"
-- p2 = "1736945940000"
-- p3 = "5"
-- p4 = "1736946000000"
-- p5 = "a"
