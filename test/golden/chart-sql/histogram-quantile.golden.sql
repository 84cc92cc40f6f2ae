SELECT ts AS ts,
  if((total > 0), points, 0) AS n0,
  toNullable(toFloat64(if(((total = 0) OR ((place0 = 1) AND (place0 = length(all_edges)))), NULL, if((place0 = length(all_edges)), arrayElement(all_edges, (place0 - 1)), if(((place0 = 1) AND (arrayElement(all_edges, place0) <= 0)), arrayElement(all_edges, place0), (if((place0 = 1), 0, arrayElement(all_edges, (place0 - 1))) + ((arrayElement(all_edges, place0) - if((place0 = 1), 0, arrayElement(all_edges, (place0 - 1)))) * (((total * 0.5) - if((place0 = 1), 0, arrayElement(cumulative, (place0 - 1)))) / (arrayElement(cumulative, place0) - if((place0 = 1), 0, arrayElement(cumulative, (place0 - 1)))))))))))) AS v0
FROM (
  SELECT ts AS ts,
    points AS points,
    sums AS sums,
    all_edges AS all_edges,
    cumulative AS cumulative,
    total AS total,
    total_count AS total_count,
    total_sum AS total_sum,
    arrayFirstIndex((reached) -> ((reached >= (total * 0.5)) AND (reached > 0)), cumulative) AS place0
  FROM (
    SELECT ts AS ts,
      count() AS points,
      sumMap(edges, added) AS sums,
      arraySort(groupUniqArrayArray(edges)) AS all_edges,
      arrayCumSum(arrayMap((edge) -> arrayElement(tupleElement(sums, 2), indexOf(tupleElement(sums, 1), edge)), all_edges)) AS cumulative,
      arrayElement(cumulative, length(cumulative)) AS total,
      sum(added_count) AS total_count,
      sum(added_sum) AS total_sum
    FROM (
      SELECT ts AS ts,
        (is_delta OR if(is_first, starts_inside, ((bounds != bounds_before) OR (observed < observed_before) OR arrayExists((now, before) -> (now < before), counts, counts_before)))) AS is_whole,
        (NOT (is_delta) AND is_first AND NOT (starts_inside)) AS is_baseline,
        arrayMap((now, before) -> (toFloat64(now) - if(is_whole, 0, if(is_baseline, toFloat64(now), toFloat64(before)))), counts, counts_before) AS added,
        (toFloat64(observed) - if(is_whole, 0, if(is_baseline, toFloat64(observed), toFloat64(observed_before)))) AS added_count,
        (toFloat64(amount) - if(is_whole, 0, if(is_baseline, toFloat64(amount), toFloat64(amount_before)))) AS added_sum,
        arrayResize(arrayConcat(bounds, [inf]), length(counts)) AS edges
      FROM (
        SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
          cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
          toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
          (src.`AggregationTemporality` = 1) AS is_delta,
          (count() OVER (PARTITION BY tuple(attribute_set, src.`AggregationTemporality`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) = 1) AS is_first,
          ((toUnixTimestamp64Milli(src.`StartTimeUnix`) >= 1736942400000) AND (toUnixTimestamp64Milli(src.`StartTimeUnix`) < 1736946000000)) AS starts_inside,
          src.`BucketCounts` AS counts,
          arrayResize(lagInFrame(src.`BucketCounts`) OVER (PARTITION BY tuple(attribute_set, src.`AggregationTemporality`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), length(src.`BucketCounts`)) AS counts_before,
          src.`ExplicitBounds` AS bounds,
          lagInFrame(src.`ExplicitBounds`) OVER (PARTITION BY tuple(attribute_set, src.`AggregationTemporality`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS bounds_before,
          src.`Count` AS observed,
          lagInFrame(src.`Count`) OVER (PARTITION BY tuple(attribute_set, src.`AggregationTemporality`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS observed_before,
          src.`Sum` AS amount,
          lagInFrame(src.`Sum`) OVER (PARTITION BY tuple(attribute_set, src.`AggregationTemporality`) ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS amount_before
        FROM `otel`.`otel_metrics_histogram` AS src
        WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
          AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
          AND ((toDateTime(src.`TimeUnix`) >= toDateTime({p3:UInt32}, 'UTC')))
          AND ((toDateTime(src.`TimeUnix`) <= toDateTime({p4:UInt32}, 'UTC')))
          AND ((src.`MetricName` = {p5:String}))
      )
      WHERE ((at >= {p6:Int64}))
    )
    GROUP BY ts
  )
)
WHERE ((total > 0))
ORDER BY ts
LIMIT 100001
-- p1 = "1736941800000"
-- p2 = "1736946000000"
-- p3 = "1736941800"
-- p4 = "1736945999"
-- p5 = "requests"
-- p6 = "1736942400000"
