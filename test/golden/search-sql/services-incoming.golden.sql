SELECT service AS service,
  multiIf((messaging != ''), 'messaging', (database != ''), 'database', 'external') AS system_kind,
  multiIf((messaging != ''), if((if((destination != ''), destination, if((address != ''), address, '')) != ''), concat(messaging, ' ', if((destination != ''), destination, if((address != ''), address, ''))), messaging), (database != ''), if((peer != ''), peer, if((if((namespace != ''), namespace, if((address != ''), address, '')) != ''), concat(database, ' ', if((namespace != ''), namespace, if((address != ''), address, ''))), database)), if((peer != ''), peer, if((address != ''), address, if((host != ''), host, '')))) AS system_name,
  sum(weight) AS calls,
  sumIf(weight, failed) AS errors,
  toFloat64(arrayElement(quantilesExactWeightedInterpolated(0.5, 0.95, 0.99)(duration, weight), 1)) AS q0,
  toFloat64(arrayElement(quantilesExactWeightedInterpolated(0.5, 0.95, 0.99)(duration, weight), 2)) AS q1,
  toFloat64(arrayElement(quantilesExactWeightedInterpolated(0.5, 0.95, 0.99)(duration, weight), 3)) AS q2
FROM (
  SELECT src.`ServiceName` AS service,
    if((arrayElement(src.`SpanAttributes`, {p1:String}) != ''), arrayElement(src.`SpanAttributes`, {p1:String}), '') AS messaging,
    if((arrayElement(src.`SpanAttributes`, {p2:String}) != ''), arrayElement(src.`SpanAttributes`, {p2:String}), if((arrayElement(src.`SpanAttributes`, {p3:String}) != ''), arrayElement(src.`SpanAttributes`, {p3:String}), '')) AS database,
    if((arrayElement(src.`SpanAttributes`, {p4:String}) != ''), arrayElement(src.`SpanAttributes`, {p4:String}), if((arrayElement(src.`SpanAttributes`, {p5:String}) != ''), arrayElement(src.`SpanAttributes`, {p5:String}), if((arrayElement(src.`SpanAttributes`, {p6:String}) != ''), arrayElement(src.`SpanAttributes`, {p6:String}), ''))) AS destination,
    if((arrayElement(src.`SpanAttributes`, {p7:String}) != ''), arrayElement(src.`SpanAttributes`, {p7:String}), if((arrayElement(src.`SpanAttributes`, {p8:String}) != ''), arrayElement(src.`SpanAttributes`, {p8:String}), '')) AS namespace,
    if((arrayElement(src.`SpanAttributes`, {p9:String}) != ''), arrayElement(src.`SpanAttributes`, {p9:String}), if((arrayElement(src.`SpanAttributes`, {p10:String}) != ''), arrayElement(src.`SpanAttributes`, {p10:String}), '')) AS peer,
    if((arrayElement(src.`SpanAttributes`, {p11:String}) != ''), arrayElement(src.`SpanAttributes`, {p11:String}), if((arrayElement(src.`SpanAttributes`, {p12:String}) != ''), arrayElement(src.`SpanAttributes`, {p12:String}), if((arrayElement(src.`SpanAttributes`, {p13:String}) != ''), arrayElement(src.`SpanAttributes`, {p13:String}), if((arrayElement(src.`SpanAttributes`, {p14:String}) != ''), arrayElement(src.`SpanAttributes`, {p14:String}), if((arrayElement(src.`SpanAttributes`, {p15:String}) != ''), arrayElement(src.`SpanAttributes`, {p15:String}), ''))))) AS address,
    if((arrayElement(src.`SpanAttributes`, {p16:String}) != ''), arrayElement(src.`SpanAttributes`, {p16:String}), if((domain(arrayElement(src.`SpanAttributes`, {p17:String})) != ''), domain(arrayElement(src.`SpanAttributes`, {p17:String})), if((domain(arrayElement(src.`SpanAttributes`, {p18:String})) != ''), domain(arrayElement(src.`SpanAttributes`, {p18:String})), if((arrayElement(src.`SpanAttributes`, {p19:String}) != ''), arrayElement(src.`SpanAttributes`, {p19:String}), '')))) AS host,
    src.`Duration` AS duration,
    (src.`StatusCode` IN ({p20:String}, {p21:String}, {p22:String}, {p23:String}, {p24:String})) AS failed,
    toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)) AS weight
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p25:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p26:Int64}, 'UTC')))
    AND ((src.`SpanKind` IN ({p27:String}, {p28:String}, {p29:String}, {p30:String}, {p31:String})))
)
GROUP BY service, system_kind, system_name
ORDER BY calls DESC, service, system_kind, system_name
LIMIT 1000
-- p1 = "messaging.system"
-- p2 = "db.system.name"
-- p3 = "db.system"
-- p4 = "messaging.destination.template"
-- p5 = "messaging.destination.name"
-- p6 = "messaging.destination"
-- p7 = "db.namespace"
-- p8 = "db.name"
-- p9 = "service.peer.name"
-- p10 = "peer.service"
-- p11 = "server.address"
-- p12 = "net.peer.name"
-- p13 = "network.peer.address"
-- p14 = "net.sock.peer.name"
-- p15 = "net.sock.peer.addr"
-- p16 = "http.host"
-- p17 = "url.full"
-- p18 = "http.url"
-- p19 = "rpc.service"
-- p20 = "Error"
-- p21 = "ERROR"
-- p22 = "error"
-- p23 = "STATUS_CODE_ERROR"
-- p24 = "2"
-- p25 = "1736942400000"
-- p26 = "1736946000000"
-- p27 = "Consumer"
-- p28 = "CONSUMER"
-- p29 = "consumer"
-- p30 = "SPAN_KIND_CONSUMER"
-- p31 = "5"
