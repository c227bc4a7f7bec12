use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
#[gsi2(name = "GSI2", pk = "GSI2PK")]
#[gsi3(name = "GSI3", pk = "GSI3PK")]
#[gsi4(name = "GSI4", pk = "GSI4PK")]
#[gsi5(name = "GSI5", pk = "GSI5PK")]
#[gsi6(name = "GSI6", pk = "GSI6PK")]
#[gsi7(name = "GSI7", pk = "GSI7PK")]
#[gsi8(name = "GSI8", pk = "GSI8PK")]
#[gsi9(name = "GSI9", pk = "GSI9PK")]
#[gsi10(name = "GSI10", pk = "GSI10PK")]
#[gsi11(name = "GSI11", pk = "GSI11PK")]
#[gsi12(name = "GSI12", pk = "GSI12PK")]
#[gsi13(name = "GSI13", pk = "GSI13PK")]
#[gsi14(name = "GSI14", pk = "GSI14PK")]
#[gsi15(name = "GSI15", pk = "GSI15PK")]
#[gsi16(name = "GSI16", pk = "GSI16PK")]
#[gsi17(name = "GSI17", pk = "GSI17PK")]
#[gsi18(name = "GSI18", pk = "GSI18PK")]
#[gsi19(name = "GSI19", pk = "GSI19PK")]
#[gsi20(name = "GSI20", pk = "GSI20PK")]
#[gsi21(name = "GSI21", pk = "GSI21PK")]
struct App;

fn main() {}
